/**
 * The study of a cache near the client: the same work over a long distance, directly, from a point of presence and from memory.
 */
package io.movr.study;
