import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'vitest';

/** Where Firefox is installed; undefined where it isn't. */
export const firefoxFile = [process.env.RESILIN_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (file) => file !== undefined && existsSync(file),
);

/** Skips a test for want of Firefox, or fails it where browsers are required. */
export function noFirefox(context: TestContext): never {
  const reason = 'no Firefox: neither RESILIN_FIREFOX nor /usr/bin/firefox-esr nor /usr/bin/firefox';
  if (process.env.RESILIN_REQUIRE_BROWSER === '1')
    throw new Error(`${reason}, and RESILIN_REQUIRE_BROWSER=1`);
  return context.skip(reason);
}

/** The port is a free one; nothing is asked of the network, and nothing shown that nobody asks for. */
const PREFERENCES = `user_pref("marionette.port", 0);
user_pref("browser.startup.page", 0);
user_pref("browser.startup.homepage", "about:blank");
user_pref("startup.homepage_welcome_url", "about:blank");
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.newtab.preload", false);
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.topsites.contile.enabled", false);
user_pref("browser.uitour.enabled", false);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("extensions.enabledScopes", 0);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("toolkit.cosmeticAnimations.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
`;

/** How long pages and scripts may take: longer than a test may. */
const MAX_MS = 3_600_000;

/** What a command of Marionette is answered with, by its number. */
type Answer = [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];

/** Firefox without a window, with a profile that stays when it ends; driven by its own protocol, Marionette. */
export class Firefox {
  readonly #file: string;
  readonly #profile = mkdtempSync(join(tmpdir(), 'resilin-firefox-'));
  #process: ChildProcess | undefined;
  /** The tab that it starts with: it isn't closed, so that there is always one. */
  #first = '';
  #session: Session | undefined;

  private constructor(file: string) {
    this.#file = file;
    writeFileSync(join(this.#profile, 'user.js'), PREFERENCES);
  }

  /** Starts it with a new profile. */
  static async launch(file: string): Promise<Firefox> {
    const firefox = new Firefox(file);
    await firefox.start();
    return firefox;
  }

  /** Starts it again after {@link kill}. */
  async start(): Promise<void> {
    const options = ['--marionette', '--headless', '--no-remote', '--profile', this.#profile];
    // A group of its own: its other processes end with it.
    const child = spawn(this.#file, options, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    this.#process = child;
    const said: string[] = [];
    const port = new Promise<number>((done, fail) => {
      createInterface(child.stdout!).on('line', (line) => {
        said.push(line);
        const [, found] = /Marionette\tINFO\tListening on port (\d+)/.exec(line) ?? [];
        if (found !== undefined) done(Number(found));
      });
      child.once('error', fail);
      child.once('exit', (status) => fail(new Error(`Firefox ended with ${status}: ${said.join('\n')}`)));
    });
    this.#session = await Session.open(await port);
    await this.#send('WebDriver:NewSession', {});
    this.#first = ((await this.#send('WebDriver:GetWindowHandle', {})) as { value: string }).value;
    await this.#send('WebDriver:SetTimeouts', { script: MAX_MS, pageLoad: MAX_MS });
  }

  /** Shows a page in a tab of its own, in which what follows is done, and returns the tab. */
  async open(url: string): Promise<string> {
    const { handle } = (await this.#send('WebDriver:NewWindow', { type: 'tab' })) as { handle: string };
    await this.show(handle);
    await this.#send('WebDriver:Navigate', { url });
    return handle;
  }

  /** What follows is done in another tab. */
  async show(handle: string): Promise<void> {
    await this.#send('WebDriver:SwitchToWindow', { handle });
  }

  /** Closes the tab that is shown. */
  async closeTab(): Promise<void> {
    await this.#send('WebDriver:CloseWindow', {});
    await this.show(this.#first);
  }

  /** What a function of its own gives in the page that is shown, or what its promise does; what it sets of `window` stays. */
  async evaluate<A extends readonly unknown[], T>(
    run: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> {
    const script = `return (${run})(...arguments)`;
    const { value } = (await this.#send('WebDriver:ExecuteScript', { script, args })) as { value: T };
    return value;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#process!;
    this.#process = undefined;
    this.#session?.close();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  }

  /** Ends it and removes the profile. */
  async remove(): Promise<void> {
    if (this.#process !== undefined) await this.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(name: string, parameters: object): Promise<unknown> {
    return this.#session!.send(name, parameters);
  }
}

/** Commands and answers over a socket: each is JSON with its length in bytes and a colon before it. */
class Session {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { done: (result: unknown) => void; fail: (error: Error) => void }>();
  #read = Buffer.alloc(0);
  #last = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#read = Buffer.concat([this.#read, bytes]);
      this.#take();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('Firefox has closed the connection'));
      this.#waiting.clear();
    });
  }

  static async open(port: number): Promise<Session> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Session(socket);
  }

  send(name: string, parameters: object): Promise<unknown> {
    return new Promise((done, fail) => {
      const id = ++this.#last;
      this.#waiting.set(id, { done, fail });
      const command = JSON.stringify([0, id, name, parameters]);
      this.#socket.write(`${Buffer.byteLength(command)}:${command}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(): void {
    for (;;) {
      const colon = this.#read.indexOf(':');
      const end = colon + 1 + Number(this.#read.subarray(0, colon));
      if (colon < 0 || this.#read.length < end) return;
      const message = JSON.parse(this.#read.toString('utf8', colon + 1, end)) as Answer | object;
      this.#read = this.#read.subarray(end);
      // The first one says what the protocol is.
      if (Array.isArray(message)) this.#answer(message as Answer);
    }
  }

  #answer([, id, error, result]: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.done(result);
    else waiting?.fail(new Error(`${error.error}: ${error.message}`));
  }
}
