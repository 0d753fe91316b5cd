/**
 * Assertions on plans and on network round trips, comparisons of two times, and databases in several regions, for the tests
 * of any project that uses PostgreSQL or CockroachDB by JDBC. {@link io.movr.testing.MovrAssertions} is the entry.
 *
 * <p>Public types say by {@link org.apiguardian.api.API} whether they stay as they are. Types of other packages that can be
 * seen through them are experimental.
 */
package io.movr.testing;
