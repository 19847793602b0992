# links.sh <secret>: leaves traps in the writable folder for whoever fetches what is in it.
ln -s "$1" secret
ln -s / root
ln -s /proc/self/environ environment
mkdir folder
ln -s "$1" folder/report.json
ln -s ../../../../../../../../etc folder/up
mkfifo pipe
mkdir -p 'a
b'
printf 'odd' > 'a
b/name'
printf '\377' > "$(printf 'bytes-\377')"
printf 'none' > forbidden
chmod 000 forbidden
printf 'wild' > wild
chmod 7777 wild
printf 'fine' > fine
exit 42
