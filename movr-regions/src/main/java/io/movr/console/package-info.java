/** The HTTP server of running regions, with their commands and a page that shows their state. */
package io.movr.console;
