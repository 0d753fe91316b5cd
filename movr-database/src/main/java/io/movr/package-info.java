/** What every part of MovR may use. */
package io.movr;
