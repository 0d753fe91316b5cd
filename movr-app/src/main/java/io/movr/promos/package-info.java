/** Promo codes, and the uses that users have made of them. */
package io.movr.promos;
