/** JMH: one class a repository call. */
package io.movr.bench;
