// Debian's Chromium over two pipes, without a library, for the scripts that use the page.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find(existsSync);
if (!chromium) {
  console.error("no Chromium: install Debian's package chromium");
  process.exit(66);
}

const profile = mkdtempSync(join(tmpdir(), "page-"));
const browser = spawn(chromium, [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
  `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

const pending = new Map();
const listeners = [];
let counter = 0;
let rest = Buffer.alloc(0);
browser.stdio[4].on("data", (data) => {
  rest = Buffer.concat([rest, data]);
  for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
    const message = JSON.parse(rest.subarray(0, end).toString());
    rest = rest.subarray(end + 1);
    if (message.id) {
      const { done, fail } = pending.get(message.id);
      pending.delete(message.id);
      if (message.error) fail(new Error(message.error.message)); else done(message.result);
    } else {
      for (const listener of listeners) listener(message);
    }
  }
});

function send(method, params = {}, sessionId) {
  counter += 1;
  const id = counter;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((done, fail) => pending.set(id, { done, fail }));
}

/// A tab that notes requests, exceptions and broken policies.
export class Tab {
  async open() {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
    this.noted = [];
    listeners.push(({ sessionId, method, params }) => {
      if (sessionId !== this.session) return;
      if (method === "Network.requestWillBeSent") {
        const { url } = params.request;
        const isOwn = url === this.url.split("#")[0] || url.startsWith("blob:");
        if (!isOwn) this.noted.push(`request: ${url}`);
      }
      if (method === "Runtime.exceptionThrown") {
        this.noted.push(params.exceptionDetails.exception?.description ?? "exception");
      }
      if (method === "Log.entryAdded" && params.entry.level === "error") {
        this.noted.push(params.entry.text);
      }
    });
    for (const domain of ["Page", "Network", "Runtime", "Log"]) await this.send(`${domain}.enable`);
    return this;
  }

  send(method, params) {
    return send(method, params, this.session);
  }

  async go(path) {
    this.url = `file://${path}`;
    await this.send("Page.navigate", { url: this.url });
    await this.until("document.readyState === 'complete' && location.protocol === 'file:'");
  }

  /// Opens an address anew: another one behind "#" would load nothing.
  async visit(address) {
    await this.go("/dev/null");
    this.url = address;
    await this.send("Page.navigate", { url: address });
  }

  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }

  async until(expression, limit = 20_000) {
    for (const begin = Date.now(); Date.now() - begin < limit;) {
      if (await this.value(expression).catch(() => false)) return true;
      await new Promise((done) => setTimeout(done, 10));
    }
    return false;
  }

  async key(key) {
    const text = key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  size(width, height = 900, media = []) {
    return Promise.all([
      this.send("Emulation.setDeviceMetricsOverride",
        { width, height, deviceScaleFactor: 1, mobile: false }),
      this.send("Emulation.setEmulatedMedia", { features: media }),
    ]);
  }
}

export async function closeBrowser() {
  browser.kill();
  await new Promise((done) => browser.once("exit", done));
  rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
}
