greeter
project
git algal hooks install -q >/dev/null
git algal run -q --adapter agent -m 'Greet the reader.' >/dev/null
