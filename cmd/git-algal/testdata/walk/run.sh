greeter
project
