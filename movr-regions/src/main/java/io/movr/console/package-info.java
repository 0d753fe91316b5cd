/** The HTTP server of running regions: their commands, and a page that shows what they do. */
package io.movr.console;
