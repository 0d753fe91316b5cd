/** Two results or more, side by side. */
package io.movr.compare;
