/** MovR's rows: how many, which, and loading them in bulk. */
package io.movr.dataset;
