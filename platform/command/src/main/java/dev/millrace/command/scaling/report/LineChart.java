package dev.millrace.command.scaling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line chart as SVG without scripts. Not thread-safe. */
final class LineChart
{
    private static final int WIDTH = 460;
    private static final int HEIGHT = 280;
    private static final int LEFT = 64;
    private static final int RIGHT = 12;
    private static final int TOP = 30;
    private static final int BOTTOM = 76;
    private static final int STEPS = 5;
    private static final int LINE_WIDTH = 2;
    /** Visible below another line in the same position. */
    private static final int WIDE_WIDTH = 6;
    private static final int MOST_LABELS = 10;
    /** Maximum values of an axis, in powers of ten, for which the {@link #STEPS} steps are short numbers. */
    private static final double[] ROUND = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    private static final String PALE = "#c3d3e6";
    private static final String[] COLOURS = {"#1f5fa8", "#c4501b", "#3a8a3a", "#7a4ea3", "#888888", "#c9a227",
        "#2aa5a0", "#b03060"};

    private final String title;
    private final String unit;
    private final String unitX;
    private final boolean isLogarithmic;
    private final boolean isWide;
    private final List<Series> series = new ArrayList<>();

    private record Series(String name, double[] x, double[] y, String colour, int width)
    {
    }

    /**
     * @param title         title above the chart
     * @param unit          unit of the vertical axis, after the title
     * @param unitX         unit of the horizontal axis, below it
     * @param isLogarithmic whether the vertical axis is logarithmic
     * @param isWide        whether the horizontal axis is logarithmic
     */
    LineChart(final String title, final String unit, final String unitX, final boolean isLogarithmic,
        final boolean isWide)
    {
        this.title = title;
        this.unit = unit;
        this.unitX = unitX;
        this.isLogarithmic = isLogarithmic;
        this.isWide = isWide;
    }

    LineChart add(final String name, final double[] x, final double[] y)
    {
        series.add(new Series(name, x, y, COLOURS[series.size() % COLOURS.length], LINE_WIDTH));
        return this;
    }

    /** Adds a broad pale line, on which other lines may be drawn. */
    LineChart addBroad(final String name, final double[] x, final double[] y)
    {
        series.add(new Series(name, x, y, PALE, WIDE_WIDTH));
        return this;
    }

    String svg()
    {
        final double maxY = top(max());
        final StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
        text(out, LEFT, 16, "start", "bold", title + ", " + unit);
        final int steps = isLogarithmic ? (int)Math.rint(Math.log10(maxY)) : STEPS;
        for (int i = 0; i <= steps; i++)
        {
            final double value = isLogarithmic ? Math.pow(10, i) : maxY * i / steps;
            final double y = y(value, maxY);
            line(out, LEFT, y, WIDTH - RIGHT, y, "#dddddd", 1);
            text(out, LEFT - 6, y + 4, "end", "normal", number(value));
        }
        final double[] all = series.get(0).x();
        final int step = (all.length + MOST_LABELS - 1) / MOST_LABELS;
        for (int i = 0; i < all.length; i++)
        {
            if (!isLabelled(all[i], i, step))
            {
                continue;
            }
            text(out, x(all[i]), HEIGHT - BOTTOM + 16, "middle", "normal", number(all[i]));
        }
        text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM + 34, "middle", "normal", unitX);
        for (int i = 0; i < series.size(); i++)
        {
            draw(out, series.get(i), maxY);
            final int legendX = LEFT + i * (WIDTH - LEFT) / Math.max(3, series.size());
            final Series one = series.get(i);
            line(out, legendX, HEIGHT - 20, legendX + 14, HEIGHT - 20, one.colour(), one.width() + 1);
            text(out, legendX + 18, HEIGHT - 16, "start", "normal", one.name());
        }
        return out.append("</svg>").toString();
    }

    private void draw(final StringBuilder out, final Series one, final double maxY)
    {
        final StringBuilder points = new StringBuilder();
        for (int i = 0; i < one.x().length; i++)
        {
            if (Double.isFinite(one.y()[i]))
            {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(one.x()[i]), y(one.y()[i], maxY)));
                out.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>",
                    x(one.x()[i]), y(one.y()[i], maxY), one.colour()));
            }
        }
        out.append(String.format(Locale.ROOT,
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"/>", points.toString().strip(),
            one.colour(), one.width()));
    }

    /** Limits the number of labels; powers of ten on a logarithmic axis. */
    private boolean isLabelled(final double x, final int number, final int step)
    {
        return isWide ? Math.abs(Math.log10(x) - Math.rint(Math.log10(x))) < 1e-9 : number % step == 0;
    }

    private double max()
    {
        double max = 1;
        for (final Series one : series)
        {
            for (final double y : one.y())
            {
                max = Double.isFinite(y) ? Math.max(max, y) : max;
            }
        }
        return max;
    }

    /** Returns the next round number. */
    private double top(final double value)
    {
        if (isLogarithmic)
        {
            return Math.pow(10, Math.max(1, Math.ceil(Math.log10(value))));
        }
        final double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (final double round : ROUND)
        {
            if (value <= round * power)
            {
                return round * power;
            }
        }
        return 10 * power;
    }

    private double x(final double value)
    {
        final double[] all = series.get(0).x();
        final double first = all[0];
        final double last = all[all.length - 1];
        final double share = last == first ? 0.5 : isWide ? Math.log(value / first) / Math.log(last / first) :
            (value - first) / (last - first);
        return LEFT + 14 + share * (WIDTH - LEFT - RIGHT - 28);
    }

    private double y(final double value, final double maxY)
    {
        final double share = isLogarithmic ? Math.log10(Math.max(1, value)) / Math.log10(maxY) : value / maxY;
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private static String number(final double value)
    {
        if (value >= 1e6)
        {
            return String.format(Locale.ROOT, "%.3g M", value / 1e6).replace(".00", "").replace(".0", "");
        }
        return value >= 1e4 ? String.format(Locale.ROOT, "%.0f k", value / 1e3) :
            String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    private static void line(final StringBuilder out, final double x1, final double y1, final double x2,
        final double y2, final String colour, final int width)
    {
        out.append(String.format(Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>", x1, y1, x2, y2,
            colour, width));
    }

    private static void text(final StringBuilder out, final double x, final double y, final String anchor,
        final String weight, final String text)
    {
        out.append(String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-weight=\"%s\" font-size=\"11\">%s</text>", x, y,
            anchor, weight, text.replace("&", "&amp;").replace("<", "&lt;")));
    }
}
