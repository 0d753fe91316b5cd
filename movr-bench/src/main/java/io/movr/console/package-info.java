/** The live console: what running regions do, in a browser, and orders to them. */
package io.movr.console;
