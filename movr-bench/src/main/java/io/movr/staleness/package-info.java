/** How old what is read may be. */
package io.movr.staleness;
