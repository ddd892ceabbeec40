package dev.millrace.cql.language.semantic;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlMember;
import dev.millrace.cql.language.types.JavaCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Resolves qualified names: {@code column.field}, {@code alias.column.method(...)}, {@code package.Class.method(...)},
 * {@code package.Class.FIELD}, {@code package.Class(...)}, {@code function@link(...)}. A column takes precedence over a
 * class with the same name. Immutable.
 */
final class JavaNameResolver
{
    /** Names of the Java cartridge; one manual misspells it. */
    private static final Set<String> LINKS =
        Set.of("java", "com.oracle.cep.cartridge.java", "com.oracle.cep.cartrdiges.java");

    private final JavaClasses classes;
    private final CartridgeLinks links;

    /** The parts of a name with their positions. */
    private record Path(List<String> names, List<SqlParserPos> positions)
    {
        SqlIdentifier part(final int from, final int to)
        {
            return new SqlIdentifier(names.subList(from, to), null, SqlParserPos.sum(positions.subList(from, to)),
                positions.subList(from, to));
        }
    }

    JavaNameResolver(final JavaClasses classes, final CartridgeLinks links)
    {
        this.classes = classes;
        this.links = links;
    }

    /** Resolves a member to a typed call. */
    static JavaCall typed(final CqlMember member, final SqlParserPos position)
    {
        return new JavaCall(switch (member.access())
        {
            case FIELD -> JavaCall.Kind.FIELD;
            case METHOD -> JavaCall.Kind.METHOD;
            case ELEMENT -> JavaCall.Kind.ELEMENT;
        }, null, member.member(), position);
    }

    /** Resolves a qualified name; {@code null} if it is not a Java name. */
    SqlNode path(final SqlNode written, final ToIntFunction<List<String>> columnParts)
    {
        if (written instanceof SqlIdentifier name)
        {
            return name.names.size() < 2 || name.isStar() ? null : value(pathOf(name), columnParts, false);
        }
        final SqlCall call = (SqlCall) written;
        if (call.getOperator() instanceof CqlFunction function && !function.isPlain())
        {
            return call(function, call, columnParts);
        }
        final Path path = call.getOperator() instanceof CqlMember ? pathOf(call) : null;
        return path == null ? null : value(path, columnParts, true);
    }

    private static Path pathOf(final SqlIdentifier name)
    {
        final List<SqlParserPos> positions = new ArrayList<>();
        for (int i = 0; i < name.names.size(); i++)
        {
            positions.add(name.getComponentParserPosition(i));
        }
        return new Path(new ArrayList<>(name.names), positions);
    }

    /** A chain of fields as one path, or {@code null} for members of other values. */
    private static Path pathOf(final SqlCall call)
    {
        if (!(call.getOperator() instanceof CqlMember member) || member.access() != CqlMember.Access.FIELD)
        {
            return null;
        }
        final Path path = call.operand(0) instanceof SqlIdentifier name ? pathOf(name) :
            call.operand(0) instanceof SqlCall inner ? pathOf(inner) : null;
        if (path != null)
        {
            path.names().add(member.member());
            path.positions().add(call.getParserPosition());
        }
        return path;
    }

    private SqlNode value(
        final Path path, final ToIntFunction<List<String>> columnParts, final boolean isLong)
    {
        final int size = path.names().size();
        final int column = columnParts.applyAsInt(path.names().subList(0, 2));
        if (column > 0)
        {
            return column == 2 && !isLong ? null : fields(path.part(0, column), path, column, size);
        }
        final int parts = classParts(path.names(), size - 1);
        if (parts > 0)
        {
            return fields(staticField(path, parts), path, parts + 1, size);
        }
        if (isLong)
        {
            throw unknown(path, size);
        }
        return null;
    }

    private static CqlRuleException unknown(final Path path, final int parts)
    {
        return new CqlRuleException(Message.UNKNOWN_CLASS, path.part(0, parts).getParserPosition(),
            String.join(".", path.names().subList(0, parts)));
    }

    private SqlNode staticField(final Path path, final int parts)
    {
        final SqlParserPos position = path.part(0, parts + 1).getParserPosition();
        return new SqlBasicCall(new JavaCall(JavaCall.Kind.STATIC_FIELD, find(path.names().subList(0, parts)),
            path.names().get(parts), position), List.of(), position);
    }

    private static SqlNode fields(final SqlNode start, final Path path, final int from, final int to)
    {
        SqlNode value = start;
        for (int i = from; i < to; i++)
        {
            final SqlParserPos position = path.part(0, i + 1).getParserPosition();
            value = new SqlBasicCall(
                new JavaCall(JavaCall.Kind.FIELD, null, path.names().get(i), position), List.of(value), position);
        }
        return value;
    }

    private SqlNode call(
        final CqlFunction function, final SqlCall call, final ToIntFunction<List<String>> columnParts)
    {
        final Path path = pathOf(function.path());
        final int last = path.names().size() - 1;
        final SqlParserPos position = call.getParserPosition();
        if (function.link() != null && !LINKS.contains(function.link().toLowerCase(Locale.ROOT)))
        {
            return linked(function, path, call);
        }
        final int column = function.link() != null ? 0 :
            columnParts.applyAsInt(path.names().subList(0, Math.min(2, last)));
        if (column > 0)
        {
            return method(fields(path.part(0, column), path, column, last), path.names().get(last), call);
        }
        final Class<?> made = find(path.names());
        if (made != null)
        {
            return new SqlBasicCall(new JavaCall(JavaCall.Kind.CONSTRUCTOR, made, "", position), call.getOperandList(),
                position);
        }
        final int parts = classParts(path.names(), last);
        if (parts == 0)
        {
            throw unknown(path, Math.max(1, last));
        }
        if (parts == last)
        {
            return new SqlBasicCall(new JavaCall(JavaCall.Kind.STATIC_METHOD, find(path.names().subList(0, parts)),
                path.names().get(last), position), call.getOperandList(), position);
        }
        return method(fields(staticField(path, parts), path, parts + 1, last), path.names().get(last), call);
    }

    /** {@code function@link(...)}, {@code type.function@link(...)} or {@code type@link(...)}. */
    private SqlNode linked(final CqlFunction function, final Path path, final SqlCall call)
    {
        final SqlParserPos position = call.getParserPosition();
        final CartridgeLink link = links.find(function.link());
        if (link == null)
        {
            final List<String> known = new ArrayList<>(List.of("java"));
            known.addAll(links.names());
            throw new CqlRuleException(
                Message.UNKNOWN_CARTRIDGE, position, function.link(), '@' + String.join(", @", known))
                .withHint(Suggestions.didYouMean(function.link(), known));
        }
        final int last = path.names().size() - 1;
        final Map<String, Class<?>> types = link.cartridge().types();
        final Class<?> type = types.get(String.join(".", path.names().subList(0, last)));
        final List<CartridgeFunction> overloads = link.overloads(path.names().get(last));
        if (!overloads.isEmpty() && (last == 0 || type != null))
        {
            return new SqlBasicCall(new JavaCall(path.names().get(last) + '@' + link.name(), overloads, position),
                call.getOperandList(), position);
        }
        final Class<?> made = types.get(String.join(".", path.names()));
        if (made != null || type != null)
        {
            return new SqlBasicCall(made != null ? new JavaCall(JavaCall.Kind.CONSTRUCTOR, made, "", position) :
                new JavaCall(JavaCall.Kind.STATIC_METHOD, type, path.names().get(last), position),
                call.getOperandList(), position);
        }
        if (last > 0)
        {
            throw unknown(path, last);
        }
        throw new CqlRuleException(Message.UNKNOWN_FUNCTION, position, path.names().get(0) + '@' + link.name())
            .withHint(Suggestions.didYouMean(path.names().get(0),
                link.functions().stream().map(CartridgeFunction::name).distinct().toList()));
    }

    /** How to call a function that is written without a link; {@code null} if no link has it. */
    String linkHint(final String function)
    {
        return links.names().stream().map(links::find)
            .filter(link -> link != null && !link.overloads(function).isEmpty()).findFirst()
            .map(link -> "write " + function + '@' + link.name() + "(...)").orElse(null);
    }

    private static SqlNode method(final SqlNode value, final String method, final SqlCall call)
    {
        final List<SqlNode> operands = new ArrayList<>(List.of(value));
        operands.addAll(call.getOperandList());
        return new SqlBasicCall(new JavaCall(JavaCall.Kind.METHOD, null, method, call.getParserPosition()), operands,
            call.getParserPosition());
    }

    /** The number of leading parts of a name that form a class, as many as possible; 0 if none do. */
    private int classParts(final List<String> names, final int most)
    {
        for (int parts = most; parts > 0; parts--)
        {
            if (find(names.subList(0, parts)) != null)
            {
                return parts;
            }
        }
        return 0;
    }

    /** The class of a name, possibly nested; {@code null} if rules cannot access it. */
    Class<?> find(final List<String> names)
    {
        for (int nested = names.size(); nested > 0; nested--)
        {
            final String name = String.join(".", names.subList(0, nested)) + (nested == names.size() ? "" :
                '$' + String.join("$", names.subList(nested, names.size())));
            try
            {
                final Class<?> ofApplication = classes.find(name);
                final Class<?> found = ofApplication == null ? links.type(name) : ofApplication;
                if (found != null && JavaCall.isOpen(found))
                {
                    return found;
                }
            }
            catch (final LinkageError broken)
            {
                return null;
            }
        }
        return null;
    }
}
