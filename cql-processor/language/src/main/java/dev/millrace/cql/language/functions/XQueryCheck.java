package dev.millrace.cql.language.functions;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Asks the module of functions, when it is there, what is wrong with the text of an XQuery. Its class is found by name,
 * as those of functions are. Keeps no state.
 */
public final class XQueryCheck
{
    private static final String CLASS = "dev.millrace.cql.functions.XmlTable";

    private XQueryCheck()
    {
    }

    /**
     * Checks a query.
     *
     * @param query      text
     * @param namespaces prefix (empty for the default) and URI in turns
     * @param names      names of what is passed
     * @param place      where the text stands
     * @throws Refusal when it is no XQuery
     */
    public static void check(
        final String query, final List<String> namespaces, final List<String> names, final SqlParserPos place)
    {
        final Object problem;
        try
        {
            problem = Class.forName(CLASS, true, XQueryCheck.class.getClassLoader())
                .getMethod("problem", String.class, List.class, List.class).invoke(null, query, namespaces, names);
        }
        catch (final ClassNotFoundException withoutFunctions)
        {
            // Nothing runs here either: statements are only analysed.
            return;
        }
        catch (final NoSuchMethodException | IllegalAccessException | InvocationTargetException failure)
        {
            throw new IllegalStateException("XQuery cannot be checked, query=" + query, failure);
        }
        if (problem != null)
        {
            throw new Refusal(Message.BAD_XQUERY, place, problem);
        }
    }
}
