/** Regions, the cities that lie in each, and where an instance stands. */
package io.movr.region;
