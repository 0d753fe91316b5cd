/** The published figures, and what a measured ratio says of them. */
package io.movr.published;
