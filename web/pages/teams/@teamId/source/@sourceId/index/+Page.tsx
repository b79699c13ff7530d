// Never shown: +data redirects. The router needs this file to treat the folder as a page.
export const Page = () => null;
