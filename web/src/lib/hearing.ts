/** Whether this member would rather hear than see, for as long as the page lives: nobody is asked twice. */
export const hearing = { wished: false }
