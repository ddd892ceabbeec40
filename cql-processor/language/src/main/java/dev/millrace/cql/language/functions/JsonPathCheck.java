package dev.millrace.cql.language.functions;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;

/**
 * Checks constant paths of JSON functions at deployment, with the functions module, if it is present. Loads its class
 * by name, as for functions. Stateless.
 */
public final class JsonPathCheck
{
    private static final String CLASS = "dev.millrace.cql.functions.json.JsonPath";
    private static final Set<String> FUNCTIONS = Set.of("json_value", "json_query", "json_exists");

    private JsonPathCheck()
    {
    }

    /**
     * Checks a call.
     *
     * @param function  lower-case name
     * @param arguments syntax trees
     * @throws CqlRuleException if a constant path is invalid
     */
    public static void check(final String function, final List<SqlNode> arguments)
    {
        if (!FUNCTIONS.contains(function) || arguments.size() < 2 ||
            !(arguments.get(1) instanceof SqlCharStringLiteral literal))
        {
            return;
        }
        final Object problem = problem(literal.getValueAs(String.class));
        if (problem != null)
        {
            throw new CqlRuleException(Message.BAD_JSON_PATH, literal.getParserPosition(), problem);
        }
    }

    private static Object problem(final String path)
    {
        try
        {
            return Class.forName(CLASS, true, JsonPathCheck.class.getClassLoader()).getMethod("problem", String.class)
                .invoke(null, path);
        }
        catch (final ClassNotFoundException withoutFunctions)
        {
            // Without the module no statement runs: statements are only analyzed.
            return null;
        }
        catch (final NoSuchMethodException | IllegalAccessException | InvocationTargetException failure)
        {
            throw new IllegalStateException("a JSON path cannot be checked, path=" + path, failure);
        }
    }
}
