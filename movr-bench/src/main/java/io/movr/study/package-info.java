/** The study of a cache near the client: the same work from far away, direct, from a point of presence and from memory. */
package io.movr.study;
