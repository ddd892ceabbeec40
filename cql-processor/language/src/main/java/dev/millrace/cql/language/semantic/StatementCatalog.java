package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.types.CqlTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlMoniker;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;

/** The sources of one statement as Calcite's catalog. Names have been resolved before, so all of them exist. */
final class StatementCatalog implements Prepare.CatalogReader
{
    /** Functions that are resolved by name: those of patterns. All other calls contain their operator. */
    static final SqlOperatorTable OPERATORS = SqlOperatorTables.of(SqlStdOperatorTable.PREV, SqlStdOperatorTable.NEXT,
        SqlStdOperatorTable.FIRST, SqlStdOperatorTable.LAST, SqlStdOperatorTable.FINAL, SqlStdOperatorTable.RUNNING,
        SqlStdOperatorTable.AS, SqlStdOperatorTable.PATTERN_CONCAT);

    private static final SqlNameMatcher MATCHER = SqlNameMatchers.withCaseSensitive(true);

    private final List<SourceTable> tables = new ArrayList<>();
    private final CalciteSchema root = CalciteSchema.createRootSchema(false, false, "");

    StatementCatalog(final List<SourceInfo> sources)
    {
        for (int i = 0; i < sources.size(); i++)
        {
            final SourceTable table = new SourceTable(this, i, sources.get(i).rowType());
            tables.add(table);
            root.add(SourceTable.nameOf(i), table.entry());
        }
    }

    /** The total number of columns of all joins of the sources. */
    long joinedColumns()
    {
        long columns = 0;
        long joined = 0;
        for (final SourceTable table : tables)
        {
            columns += table.getRowType().getFieldCount();
            joined += columns;
        }
        return joined;
    }

    @Override
    public Prepare.PreparingTable getTable(final List<String> names)
    {
        for (final SourceTable table : tables)
        {
            if (table.getQualifiedName().equals(names))
            {
                return table;
            }
        }
        return null;
    }

    @Override
    public Prepare.PreparingTable getTableForMember(final List<String> names)
    {
        return getTable(names);
    }

    @Override
    public Prepare.CatalogReader withSchemaPath(final List<String> schemaPath)
    {
        return this;
    }

    @Override
    public RelDataTypeFactory getTypeFactory()
    {
        return CqlTypes.FACTORY;
    }

    @Override
    public void registerRules(final RelOptPlanner planner)
    {
        // The list of rules is fixed.
    }

    @Override
    public RelDataType getNamedType(final SqlIdentifier typeName)
    {
        return null;
    }

    @Override
    public List<SqlMoniker> getAllSchemaObjectNames(final List<String> names)
    {
        return List.of();
    }

    @Override
    public List<List<String>> getSchemaPaths()
    {
        return List.of(List.of());
    }

    // Deprecated in Calcite, but still abstract.
    @SuppressWarnings("deprecation")
    @Override
    public RelDataTypeField field(final RelDataType rowType, final String alias)
    {
        return MATCHER.field(rowType, alias);
    }

    @Override
    public SqlNameMatcher nameMatcher()
    {
        return MATCHER;
    }

    // Deprecated in Calcite, but still abstract.
    @SuppressWarnings("deprecation")
    @Override
    public boolean matches(final String string, final String name)
    {
        return MATCHER.matches(string, name);
    }

    @Override
    public RelDataType createTypeFromProjection(final RelDataType type, final List<String> columns)
    {
        final RelDataTypeFactory.Builder builder = CqlTypes.FACTORY.builder();
        columns.forEach(column -> builder.add(field(type, column)));
        return builder.build();
    }

    // Deprecated in Calcite, but still abstract.
    @SuppressWarnings("deprecation")
    @Override
    public boolean isCaseSensitive()
    {
        return true;
    }

    @Override
    public CalciteSchema getRootSchema()
    {
        return root;
    }

    @Override
    public CalciteConnectionConfig getConfig()
    {
        return CalciteConnectionConfig.DEFAULT;
    }

    @Override
    public void lookupOperatorOverloads(
        final SqlIdentifier name, final SqlFunctionCategory category, final SqlSyntax syntax,
        final List<SqlOperator> found, final SqlNameMatcher matcher)
    {
        OPERATORS.lookupOperatorOverloads(name, category, syntax, found, matcher);
    }

    @Override
    public List<SqlOperator> getOperatorList()
    {
        return OPERATORS.getOperatorList();
    }

    @Override
    public <C> C unwrap(final Class<C> type)
    {
        return type.isInstance(this) ? type.cast(this) : null;
    }
}
