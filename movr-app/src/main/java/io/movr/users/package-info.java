/** People who ride, and who own vehicles. */
package io.movr.users;
