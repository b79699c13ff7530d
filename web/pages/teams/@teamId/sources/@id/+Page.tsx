// Never shown: the page's data leads on. The router takes a folder for a page only with this file in it.
export const Page = () => null;
