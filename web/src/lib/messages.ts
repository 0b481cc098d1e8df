/**
 * What a page says to the service worker: take the place of the one before; tell by which script your page begins;
 * these files were loaded before you saw any request.
 */
export type Message = { say: "activate" } | { say: "entry" } | { say: "used"; paths: string[] }
