/** Run bundles and their pages. */
package io.movr.report;
