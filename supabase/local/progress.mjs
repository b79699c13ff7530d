// Owns the output of a start: one line per step, then the address to open. Must not decide anything. Plain JavaScript,
// since it prints before anything is installed or built; its types are in progress.d.mts.

export class Progress {
  #done = 0;
  #total;

  constructor(total = 0) {
    this.#total = total;
  }

  expect(steps) {
    this.#total = this.#done + steps;
  }

  begin(title, note) {
    console.log(`${this.#mark(this.#done + 1)} ${title} … ${note}`);
  }

  async step(title, work) {
    const began = performance.now();
    const result = await work();
    this.#done += 1;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${this.#mark(this.#done)} ${title} … ready in ${seconds} s`);
    return result;
  }

  ready(place) {
    console.log("");
    console.log(`  Open      ${place.web}`);
    if (place.hasDemo) console.log("  Log in    demo@parley.test with demo-parley-1");
    if (place.mailbox) console.log(`  Mailbox   ${place.mailbox}`);
    console.log(`  Model     ${place.model}`);
    console.log("  Stop      Ctrl-C");
    console.log("");
    console.log(`ready ${place.ready}`);
  }

  fail(sentence) {
    console.error(sentence);
  }

  #mark(step) {
    return `[${step}/${Math.max(this.#total, step)}]`;
  }
}
