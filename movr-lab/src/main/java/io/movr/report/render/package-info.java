/** One renderer of reports each for a terminal, Markdown, CSV and HTML. */
package io.movr.report.render;
