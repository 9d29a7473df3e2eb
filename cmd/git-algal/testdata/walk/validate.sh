greeter
project
git algal run -q --adapter agent -m 'Greet the reader.' >/dev/null
