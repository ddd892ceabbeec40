package dev.millrace.cql.functions.xml;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.functions.ConversionFunctions;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import net.sf.saxon.s9api.XdmItem;

/** The rows that XMLTABLE returns for an input row: one row per item, one column per path. Immutable, thread-safe. */
public final class XmlTable implements LookupSource
{
    private final XQuery query;
    private final List<String> names;
    private final List<XQuery> paths;
    private final List<CqlType> types;

    private XmlTable(
        final XQuery query, final List<String> names, final List<XQuery> paths, final List<CqlType> types)
    {
        this.query = query;
        this.names = names;
        this.paths = paths;
        this.types = types;
    }

    /**
     * Compiles a table from its plan.
     *
     * @param details XQuery text; namespaces as prefix and URI, alternating; names of the passed values; paths of the
     *     columns; types of the columns
     * @return source that the engine queries with the passed values
     */
    @SuppressWarnings("unchecked") // The planner writes these lists.
    public static LookupSource of(final List<Object> details)
    {
        final List<String> namespaces = (List<String>) details.get(1);
        final List<String> names = (List<String>) details.get(2);
        final List<XQuery> paths = new ArrayList<>();
        for (final String path : (List<String>) details.get(3))
        {
            paths.add(XQuery.of(path, namespaces, XmlItems.variables(names)));
        }
        return new XmlTable(XQuery.of((String) details.get(0), namespaces, XmlItems.variables(names)), names, paths,
            (List<CqlType>) details.get(4));
    }

    @Override
    public void find(final Object[] keys, final Rows rows)
    {
        // All rows are computed before the first is returned: a failure returns none.
        EvaluationBudget.within(() -> rows(keys)).forEach(rows::row);
    }

    private List<Object[]> rows(final Object[] keys)
    {
        final XmlItems.Passed passed = XmlItems.passed(names, keys);
        if (passed.context() == null && names.contains("."))
        {
            return List.of();
        }
        final List<Object[]> found = new ArrayList<>();
        for (final XdmItem item : query.items(passed.context(), passed.values()))
        {
            final Object[] row = new Object[types.size()];
            for (int i = 0; i < row.length; i++)
            {
                row[i] = value(types.get(i), paths.get(i).items(item, passed.values()));
            }
            found.add(row);
        }
        return found;
    }

    private static Object value(final CqlType type, final List<XdmItem> items)
    {
        if (items.isEmpty())
        {
            return null;
        }
        if (type == CqlType.XMLTYPE)
        {
            return XmlItems.text(items);
        }
        if (items.size() > 1)
        {
            throw XmlErrors.failure("a path finds several items for a column that is not an xmltype, items=" +
                items.size());
        }
        final String text = XmlItems.string(items.get(0));
        return text.isEmpty() ? null : converted(type, text);
    }

    private static Object converted(final CqlType type, final String text)
    {
        return switch (type)
        {
            case INT -> ConversionFunctions.toInt(text);
            case BIGINT -> ConversionFunctions.toBigint(text);
            case FLOAT -> ConversionFunctions.toFloat(number(text));
            case DOUBLE -> ConversionFunctions.toDouble(number(text));
            case BOOLEAN -> ConversionFunctions.toBoolean(
                text.strip().equals("1") ? "true" : text.strip().equals("0") ? "false" : text.strip());
            case TIMESTAMP -> ConversionFunctions.toTimestamp(text);
            case BYTE -> ConversionFunctions.hextoraw(text.strip());
            case BIGDECIMAL -> decimal(text.strip());
            default -> text;
        };
    }

    /** A number in Java syntax. */
    private static String number(final String text)
    {
        final String number = text.strip();
        return number.equals("INF") ? "Infinity" : number.equals("-INF") ? "-Infinity" : number;
    }

    private static BigDecimal decimal(final String text)
    {
        try
        {
            if (text.length() <= 1000)
            {
                return new BigDecimal(text);
            }
        }
        catch (final NumberFormatException failure)
        {
            // Reported below.
        }
        throw new RowRejectedException("conversion-failed", "not a bigdecimal, value=" +
            text.substring(0, Math.min(100, text.length())));
    }

    /**
     * Checks an XQuery.
     *
     * @param query      XQuery text
     * @param namespaces prefix and URI, alternating
     * @param names      names of the passed values
     * @return error message, or {@code null} if the query is valid
     */
    public static String problem(final String query, final List<String> namespaces, final List<String> names)
    {
        try
        {
            XQuery.of(query, namespaces, XmlItems.variables(names));
            return null;
        }
        catch (final RowRejectedException wrong)
        {
            return wrong.getMessage();
        }
    }
}
