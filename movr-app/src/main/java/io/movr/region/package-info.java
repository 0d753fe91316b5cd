/** Which region a city lies in. */
package io.movr.region;
