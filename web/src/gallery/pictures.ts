// Drawn here, so that they look the same each time.
const drawn = (shapes: string, size: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}">${shapes}</svg>`)}`
export const SLIDE = {
  background: drawn(
    '<path fill="#5c8fc7" d="M0 0h320v160H0z"/><path fill="#2f5486" d="M0 110 80 60l90 60 70-50 80 50v40H0z"/><path fill="#16222f" d="M210 62h36v36h-36zM130 62h36v36h-36z"/>',
    "0 0 320 160",
  ),
  piece: drawn('<path fill="#2f5486" stroke="#fff" stroke-width="2" d="M10 10h36v36H10z"/>', "0 0 56 56"),
  y: 52,
}

/** Stands for a poster, which a canvas draws where one is asked for. */
export const POSTER = drawn(
  '<path fill="#12151b" d="M0 0h1080v1440H0z"/><path fill="#6a5af9" d="M90 1020h330v330H90z"/><path fill="#f2f4f7" d="M90 240h820v90H90zM90 390h560v90H90z"/>',
  "0 0 1080 1440",
)
