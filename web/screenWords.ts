/** Names that a screen may use as they are, and those that say what it may not. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that hold text, figures and drawings, and that nobody presses. */
export const PLAIN = words(`
  div p span ul ol li dl dt dd section article aside main nav header footer h1 h2 h3 h4 strong b em code pre
  table thead tbody tr th td img svg g path rect circle
`)

/** Elements that a string could name where a tag is chosen by one. */
export const CONTROLS = words(`
  a abbr address area audio base blockquote body br button canvas caption cite col colgroup data datalist del details
  dfn dialog embed fieldset figcaption figure font footer form frame frameset head hgroup hr html i iframe input ins kbd
  label legend link map mark menu meta meter noscript object optgroup option output picture progress q s samp script
  search select slot small source style sub summary sup template textarea time title track u var video wbr
`)

/** What such an element may carry; whatever does something when it is pressed or filled in is the kit's. */
export const PLAIN_ATTRIBUTES =
  /^(className|key|ref|id|lang|dir|hidden|title|translate|role|tabIndex|onCopy|alt|src|srcSet|sizes|width|height|loading|decoding|fetchPriority|colSpan|rowSpan|scope|start|value|aria-[a-z]+|data-[a-z-]+|d|x|y|r|rx|ry|cx|cy|viewBox|transform|stroke(Width|Linecap|Linejoin|Dasharray|Dashoffset))$/

/** Of the house, its coins and their networks: the same in each language. */
export const NAMES = words("Kalos KLS USDT ERC")

/** Roles of what is only read. */
export const ROLES = words("alert group img list listitem log none note presentation region status timer")

/** Names of colours that everybody knows: of Tailwind's palette and of CSS. Ours have names of their own. */
export const COLOURS = words(`
  ink slate zinc neutral stone amber emerald sky rose
  aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
  slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
  yellowgreen canvas canvastext accentcolor
`)
