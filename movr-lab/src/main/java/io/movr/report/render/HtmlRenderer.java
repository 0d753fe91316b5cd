package io.movr.report.render;

import static j2html.TagCreator.a;
import static j2html.TagCreator.article;
import static j2html.TagCreator.code;
import static j2html.TagCreator.dd;
import static j2html.TagCreator.details;
import static j2html.TagCreator.div;
import static j2html.TagCreator.dl;
import static j2html.TagCreator.dt;
import static j2html.TagCreator.each;
import static j2html.TagCreator.figcaption;
import static j2html.TagCreator.figure;
import static j2html.TagCreator.footer;
import static j2html.TagCreator.h1;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.header;
import static j2html.TagCreator.li;
import static j2html.TagCreator.main;
import static j2html.TagCreator.noscript;
import static j2html.TagCreator.p;
import static j2html.TagCreator.pre;
import static j2html.TagCreator.script;
import static j2html.TagCreator.span;
import static j2html.TagCreator.summary;
import static j2html.TagCreator.tag;
import static j2html.TagCreator.tbody;
import static j2html.TagCreator.td;
import static j2html.TagCreator.th;
import static j2html.TagCreator.thead;
import static j2html.TagCreator.tr;
import static j2html.TagCreator.ul;

import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.PairLayout;
import io.movr.report.model.Block.Pairs;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Heat;
import io.movr.report.model.Cell.Part;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import j2html.tags.ContainerTag;
import j2html.tags.DomContent;
import j2html.tags.specialized.TdTag;
import j2html.tags.specialized.TrTag;
import j2html.utils.EscapeUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The renderer for a browser: one file with its styles, its scripts and its data inside, which opens without a network. Tables
 * and text need no script; charts are drawn by Observable Plot from their declarations.
 */
public final class HtmlRenderer {

    private static final String D3 =
            "/META-INF/resources/webjars/d3/" + text("d3.version").strip() + "/dist/d3.min.js";
    private static final int FIRST_LEVEL = 2;
    private static final int LAST_LEVEL = 6;
    private static final Map<String, String> SIGNS = Map.ofEntries(
            Map.entry("reproduced", "✓"),
            Map.entry("direction only", "↗"),
            Map.entry("no difference", "="),
            Map.entry("not reproduced", "✗"),
            Map.entry("not judged", "?"),
            Map.entry("failed", "!"),
            Map.entry("ok", "✓"),
            Map.entry("warning", "!"),
            Map.entry("problem", "✗"),
            Map.entry("unknown", "?"),
            Map.entry("better", "▲"),
            Map.entry("worse", "▼"));

    private HtmlRenderer() {}

    private static String text(String name) {
        return Resources.text("/io/movr/report/", name);
    }

    /** Returns the page. */
    public static String of(Report report) {
        List<Section> sections = report.sections().stream()
                .filter(section -> !section.onPage().isEmpty())
                .toList();
        boolean hasCharts =
                sections.stream().flatMap(section -> section.onPage().stream()).anyMatch(HtmlRenderer::hasChart);
        String charts = hasCharts ? text(D3) + "\n" + text("plot.min.js") + "\n" : "";
        // The body comes last: its text is not searched for other places.
        return text("frame.html")
                .replace("{{title}}", EscapeUtil.escape(report.title()))
                .replace("/*CSS*/", text("report.css"))
                .replace("/*SCRIPTS*/", charts + text("report.js"))
                .replace("<!--BODY-->", body(report, sections));
    }

    private static boolean hasChart(Block block) {
        return block instanceof Figure
                || (block instanceof Group group && group.blocks().stream().anyMatch(HtmlRenderer::hasChart));
    }

    private static String body(Report report, List<Section> sections) {
        String first = sections.isEmpty() ? "" : sections.get(0).id();
        return a("Skip to the results").withClass("skip").withHref("#" + first).render()
                + header(
                                h1(report.heading()),
                                report.lead().isEmpty()
                                        ? null
                                        : p(report.lead()).withClass("lead").withId("lead"),
                                each(report.opening().onPage(), block -> block(block, FIRST_LEVEL)),
                                noscript(p("JavaScript is off: the page shows its tables without charts.")
                                        .withClass("notice")))
                        .withClass("page")
                        .render()
                + main(each(sections, HtmlRenderer::section)).render()
                + footer(p(span("All numbers of this page: "), each(report.files(), HtmlRenderer::file)))
                        .withClass("page")
                        .render();
    }

    private static DomContent file(String name) {
        return span(a(name).withHref(name), span(" "));
    }

    private static DomContent section(Section section) {
        String heading = section.id() + "-heading";
        return j2html.TagCreator.section(
                        h2(section.heading()).withId(heading),
                        each(section.onPage(), block -> block(block, FIRST_LEVEL + 1)))
                .withId(section.id())
                .attr("aria-labelledby", heading);
    }

    private static DomContent block(Block block, int level) {
        if (block instanceof Text text) {
            String style = switch (text.tone()) {
                case PLAIN -> "";
                case MUTED -> "muted small";
                case WARNING -> "notice";
                case FAILURE -> "notice failure";
            };
            return p(text.text()).withCondClass(!style.isEmpty(), style);
        }
        if (block instanceof Bullets bullets) {
            return ul(each(bullets.items(), item -> li(parts(item)))).withClass("notes");
        }
        if (block instanceof Pairs pairs) {
            return pairs(pairs);
        }
        if (block instanceof Code preformatted) {
            return pre(preformatted.text())
                    .withClass(preformatted.wraps() ? "sql" : "plan")
                    .attr("tabindex", "0")
                    .attr("role", "region")
                    .attr("aria-label", preformatted.label());
        }
        if (block instanceof Group group) {
            return group(group, level);
        }
        if (block instanceof Table rows) {
            return table(Tables.onPage(rows));
        }
        if (block instanceof Figure chart) {
            return figure(
                    div().withClass("chart")
                            .attr("role", "group")
                            .attr("aria-label", chart.label())
                            .attr("data-kind", chart.chart().kind())
                            .with(script(j2html.TagCreator.rawHtml(json(chart))).attr("type", "application/json")),
                    chart.caption().isEmpty() ? null : figcaption(chart.caption()));
        }
        throw new IllegalArgumentException("The page cannot show " + block);
    }

    /** JSON inside a script element must not end that element. */
    private static String json(Figure figure) {
        return JsonMapper.shared().writeValueAsString(figure.chart()).replace("<", "\\u003c");
    }

    private static DomContent pairs(Pairs pairs) {
        if (pairs.layout() == PairLayout.TABLE) {
            return j2html.TagCreator.table(tbody(each(
                            pairs.pairs(),
                            pair -> tr(th(pair.term()).attr("scope", "row"), td(parts(pair.description()))))))
                    .withClass("pairs")
                    .attr("aria-label", pairs.caption());
        }
        String layout = switch (pairs.layout()) {
            case FACTS -> "facts";
            case LIST -> "scans";
            case GLOSSARY -> "prose";
            case TABLE -> "pairs";
        };
        boolean isGrouped = pairs.layout() == PairLayout.FACTS;
        return dl(each(pairs.pairs(), pair -> {
                    DomContent term = dt(pair.term());
                    DomContent description = dd(parts(pair.description()));
                    return isGrouped ? div(term, description) : j2html.TagCreator.join(term, description);
                }))
                .withClass(layout);
    }

    private static DomContent group(Group group, int level) {
        List<Block> shown =
                group.blocks().stream().filter(block -> !block.isEmpty()).toList();
        boolean hasHeading = !group.heading().parts().isEmpty();
        int below = hasHeading ? Math.min(LAST_LEVEL, level + 1) : level;
        if (group.layout() == GroupLayout.COLLAPSED) {
            return details(summary(parts(group.heading())), each(shown, block -> block(block, level)))
                    .withCondId(!group.id().isEmpty(), group.id());
        }
        DomContent heading = hasHeading ? tag("h" + level).with(parts(group.heading())) : null;
        return switch (group.layout()) {
            case RULED ->
                article(heading, each(shown, block -> block(block, below)))
                        .withClass("experiment")
                        .withCondId(!group.id().isEmpty(), group.id());
            case COLUMNS ->
                div(heading, div(each(shown, block -> div(block(block, below)))).withClass("columns"))
                        .withCondId(!group.id().isEmpty(), group.id());
            default ->
                div(heading, each(shown, block -> block(block, below)))
                        .withCondId(!group.id().isEmpty(), group.id());
        };
    }

    private static DomContent table(Table table) {
        String layout = table.layout().name().toLowerCase(Locale.ROOT);
        return div(j2html.TagCreator.table(
                                thead(groups(table), tr(each(table.columns(), HtmlRenderer::heading))),
                                tbody(each(table.rows(), row -> row(table, row))))
                        .withClass(layout)
                        .withCondStyle(
                                table.layout() == TableLayout.MATRIX,
                                "--columns: " + (table.columns().size() - 1))
                        .attr("aria-label", table.caption()))
                .withClass("scroll")
                .attr("role", "region")
                .attr("tabindex", "0")
                .attr("aria-label", table.caption());
    }

    /** The common headings of neighbouring columns, or {@code null} if there are none. */
    private static @Nullable TrTag groups(Table table) {
        if (table.columns().stream().allMatch(column -> column.group().isEmpty())) {
            return null;
        }
        List<DomContent> cells = new ArrayList<>();
        List<Column> columns = table.columns();
        for (int first = 0; first < columns.size(); ) {
            String group = columns.get(first).group();
            int end = first + 1;
            while (end < columns.size() && columns.get(end).group().equals(group)) {
                end++;
            }
            cells.add(
                    group.isEmpty()
                            ? td().attr("colspan", end - first)
                            : th(group)
                                    .attr("scope", "colgroup")
                                    .attr("colspan", end - first)
                                    .withClass("group"));
            first = end;
        }
        return tr(each(cells, cell -> cell));
    }

    private static DomContent heading(Column column) {
        return th(column.heading()).attr("scope", "col").withCondClass(column.isNumber(), "number");
    }

    private static DomContent row(Table table, List<Cell> row) {
        return tr(each(IntStream.range(0, row.size()).boxed().toList(), place -> {
            Cell cell = row.get(place);
            Column column = table.columns().get(place);
            return place == 0 ? th(parts(cell)).attr("scope", "row") : cell(table, column, cell);
        }));
    }

    private static DomContent cell(Table table, Column column, Cell cell) {
        Heat heat = cell.heat();
        TdTag element = td();
        if (table.layout() == TableLayout.CARDS) {
            element.attr("data-label", column.fullHeading()).with(div(parts(cell)));
        } else {
            element.with(parts(cell));
        }
        if (cell.value() != null && table.layout() == TableLayout.SORTABLE) {
            element.attr("data-value", cell.value());
        }
        if (heat != null) {
            return element.withClass("heat " + heat.kind())
                    .withStyle(String.format(Locale.ROOT, "--strength: %.1f%%", heat.percent()));
        }
        return element.withCondClass(column.isNumber(), "number");
    }

    private static DomContent parts(Cell cell) {
        return each(cell.parts(), HtmlRenderer::part);
    }

    private static DomContent part(Part part) {
        ContainerTag<?> element = switch (part.style()) {
            case PLAIN -> span(part.text());
            case STRONG -> span(part.text()).withClass("strong");
            case GOOD -> span(part.text()).withClass("good strong");
            case BAD -> span(part.text()).withClass("wrong");
            case MUTED -> span(part.text()).withClass("muted");
            case CODE -> code(part.text());
            case RANGE, NOTE -> span(part.text()).withClass("sub");
            case BREAK -> j2html.TagCreator.div();
            case BADGE -> badge(part.text());
        };
        if (!part.meaning().isEmpty()) {
            element.withTitle(part.meaning());
        }
        DomContent shown = part.href().isEmpty()
                ? element
                : a(part.text()).withHref(part.href()).withCondClass(part.style() == Cell.Style.STRONG, "strong");
        return j2html.TagCreator.join(shown, " ");
    }

    private static ContainerTag<?> badge(String word) {
        String sign = SIGNS.get(word);
        return span(sign == null ? null : span(sign + " ").attr("aria-hidden", "true"), j2html.TagCreator.text(word))
                .withClass("badge " + word.replace(' ', '-'));
    }
}
