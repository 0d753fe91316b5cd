/** The commands: each parses its options, calls one method of another package, and prints the result. */
package io.movr.cli;
