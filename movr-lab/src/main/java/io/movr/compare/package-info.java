/** The comparison of two results or more. */
package io.movr.compare;
