/** The commands, thin. */
package io.movr.cli;
