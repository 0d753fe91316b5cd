/**
 * The study of a cache near the client: the same statements directly over a long distance, through a point of
 * presence, and from memory.
 */
package io.movr.study;
