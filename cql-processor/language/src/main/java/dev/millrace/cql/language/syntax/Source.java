package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.syntax.Statement.Item;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A term of FROM. Immutable. */
public sealed interface Source
{
    /** The span, for messages. */
    SqlParserPos position();

    /**
     * A channel, cache or view.
     *
     * @param name           name of the source
     * @param windowPosition position of the window, {@code null} without brackets
     * @param alias          name after AS, or {@code null}
     */
    record NamedSource(SqlIdentifier name, Window window, SqlParserPos windowPosition, SqlIdentifier alias)
        implements Source
    {
        @Override
        public SqlParserPos position()
        {
            return name.getParserPosition();
        }
    }

    /**
     * A pattern over a stream.
     *
     * @param name           name of the source
     * @param windowPosition position of an invalid window, {@code null} without brackets
     * @param match          the pattern
     * @param alias          name after AS, or {@code null}
     */
    record MatchSource(SqlIdentifier name, SqlParserPos windowPosition, MatchClause match, SqlIdentifier alias)
        implements Source
    {
        @Override
        public SqlParserPos position()
        {
            return name.getParserPosition();
        }
    }

    /**
     * A query in parentheses, possibly with a relation-to-stream operator.
     *
     * @param statement the query and its operator; it has no EVALUATE EVERY
     * @param alias     name after AS
     * @param position  span with the parentheses
     */
    record SubQuery(Statement statement, SqlIdentifier alias, SqlParserPos position) implements Source
    {
    }

    /**
     * {@code TABLE(call AS column OF type) AS alias}: the elements of the collection that a call returns.
     *
     * @param call     the call; its arguments may name columns of the other sources
     * @param column   name of the only column, or {@code null}
     * @param type     name of the elements' type after OF, or {@code null}
     * @param alias    name after AS, or {@code null}
     * @param position span
     */
    record TableFunction(SqlNode call, SqlIdentifier column, SqlIdentifier type, SqlIdentifier alias,
        SqlParserPos position) implements Source
    {
    }

    /**
     * {@code s XMLTABLE ( ... ) AS alias}: the items that an XQuery finds in a column of a stream. Only its columns are
     * visible.
     *
     * @param input         the stream
     * @param namespaces    XMLNAMESPACES: values are strings, aliases the prefixes; a default namespace has no alias
     * @param query         XQuery text
     * @param queryPosition position of the XQuery
     * @param passing       PASSING BY VALUE: values with the names of variables, {@code .} for the context item
     * @param columns       COLUMNS, at least one
     * @param alias         name after AS, or {@code null}
     * @param position      span of the clause
     */
    record XmlTable(NamedSource input, List<Item> namespaces, String query, SqlParserPos queryPosition,
        List<Item> passing, List<XmlColumn> columns, SqlIdentifier alias, SqlParserPos position) implements Source
    {
        /** Copies the lists. */
        public XmlTable
        {
            namespaces = List.copyOf(namespaces);
            passing = List.copyOf(passing);
            columns = List.copyOf(columns);
        }

        /** The namespaces as strings: prefix (empty for the default) and URI, alternating. */
        public List<String> namespaceTexts()
        {
            final List<String> texts = new ArrayList<>();
            for (final Item each : namespaces)
            {
                texts.add(each.alias() == null ? "" : each.alias().getSimple());
                texts.add(((SqlLiteral) each.expression()).getValueAs(String.class));
            }
            return texts;
        }
    }

    /**
     * A column of XMLTABLE.
     *
     * @param path      XPath text
     * @param pathPosition position of the path
     */
    record XmlColumn(SqlIdentifier name, SqlIdentifier type, String path, SqlParserPos pathPosition)
    {
    }

    /**
     * An outer join; chains of them are left-associative.
     *
     * @param left             left side
     * @param keepsLeft        true for LEFT, false for RIGHT
     * @param right            right side
     * @param on               condition
     * @param operatorPosition position of LEFT OUTER JOIN
     */
    record OuterJoin(Source left, boolean keepsLeft, Source right, SqlNode on, SqlParserPos operatorPosition)
        implements Source
    {
        @Override
        public SqlParserPos position()
        {
            return operatorPosition;
        }
    }
}
