/** How every browser of the tests starts: it asks nobody but the product. */
import { existsSync } from "node:fs"

/** The one without windows takes three quarters of the other's time; told how to fit letters to points, it draws the same. */
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

export const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? BROWSERS.find((file) => existsSync(file)) ?? "chromium",
  args: [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--disable-gpu",
    "--disable-quic",
    "--font-render-hinting=slight",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
}
