package dev.millrace.cql.language.functions;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Checks XQuery source text with the functions module, if it is present. Loads its class by name, as for functions.
 * Stateless.
 */
public final class XQueryCheck
{
    private static final String CLASS = "dev.millrace.cql.functions.xml.XmlTable";

    private XQueryCheck()
    {
    }

    /**
     * Checks a query.
     *
     * @param query      XQuery text
     * @param namespaces prefix (empty for the default) and URI, alternating
     * @param names      names of the passed values
     * @param position   position of the text
     * @throws CqlRuleException if it is not a valid XQuery
     */
    public static void check(
        final String query, final List<String> namespaces, final List<String> names, final SqlParserPos position)
    {
        final Object problem;
        try
        {
            problem = Class.forName(CLASS, true, XQueryCheck.class.getClassLoader())
                .getMethod("problem", String.class, List.class, List.class).invoke(null, query, namespaces, names);
        }
        catch (final ClassNotFoundException withoutFunctions)
        {
            // Without the module no statement runs: statements are only analyzed.
            return;
        }
        catch (final NoSuchMethodException | IllegalAccessException | InvocationTargetException failure)
        {
            throw new IllegalStateException("XQuery cannot be checked, query=" + query, failure);
        }
        if (problem != null)
        {
            throw new CqlRuleException(Message.BAD_XQUERY, position, problem);
        }
    }
}
