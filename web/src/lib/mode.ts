/** This is a demo installation: test money, and calls that help to try things. */
export const DEMO = document.querySelector<HTMLMetaElement>('meta[name="kalos-mode"]')?.content === "demo"
