/** Checks of transaction histories against isolation levels, also under faults. */
package io.movr.check;
