/** Where the pictures are that links to boards show, from the site's root. */

export const CODE_PICTURE = "og/code.png";

export const suitePicture = (suite: string): string => `og/sheet/${suite}.png`;

/** The size that link previews are made for. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;
