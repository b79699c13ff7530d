#!/usr/bin/env node
// Stands in for curl where a machine has none: one address, -X, -H, -d, and -s or -S, which change nothing here.
const [method, headers, rest] = [[], {}, []];
let data;
const given = process.argv.slice(2);
while (given.length > 0) {
  const one = given.shift();
  if (one === "-X") method.push(given.shift());
  else if (one === "-H") {
    const [name, ...value] = given.shift().split(": ");
    headers[name] = value.join(": ");
  } else if (one === "-d") data = given.shift();
  else if (!/^-[sS]+$/.test(one)) rest.push(one);
}
const response = await fetch(rest[0], {
  method: method[0] ?? (data === undefined ? "GET" : "POST"),
  headers,
  body: data,
});
process.stdout.write(await response.text());
