greeter
project
echo 'To be said.' >>README.md
echo 'a thought' >notes.txt
