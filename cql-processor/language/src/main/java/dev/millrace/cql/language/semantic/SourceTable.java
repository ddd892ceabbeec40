package dev.millrace.cql.language.semantic;

import java.util.List;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelReferentialConstraint;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlAccessType;
import org.apache.calcite.sql.validate.SqlModality;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.util.ImmutableBitSet;

/** A source of a statement, identified by its index in FROM, as a Calcite table. Immutable. */
public final class SourceTable extends Prepare.AbstractPreparingTable
{
    private final Table entry = new Entry();
    private final RelOptSchema schema;
    private final int index;
    private final RelDataType rowType;

    /** The source as an entry of Calcite's schema, which returns the source itself. */
    private final class Entry extends AbstractTable
    {
        @Override
        public RelDataType getRowType(final RelDataTypeFactory factory)
        {
            return rowType;
        }

        @Override
        public <C> C unwrap(final Class<C> type)
        {
            return type.isInstance(SourceTable.this) ? type.cast(SourceTable.this) : super.unwrap(type);
        }
    }

    SourceTable(final RelOptSchema schema, final int index, final RelDataType rowType)
    {
        this.schema = schema;
        this.index = index;
        this.rowType = rowType;
    }

    /** The index in FROM, from 0. */
    public int index()
    {
        return index;
    }

    Table entry()
    {
        return entry;
    }

    static String nameOf(final int index)
    {
        return "s" + index;
    }

    @Override
    public List<String> getQualifiedName()
    {
        return List.of(nameOf(index));
    }

    @Override
    public RelDataType getRowType()
    {
        return rowType;
    }

    @Override
    public RelNode toRel(final ToRelContext context)
    {
        return LogicalTableScan.create(context.getCluster(), this, List.of());
    }

    @Override
    public double getRowCount()
    {
        return 1_000;
    }

    @Override
    public RelOptSchema getRelOptSchema()
    {
        return schema;
    }

    @Override
    public List<RelCollation> getCollationList()
    {
        return List.of();
    }

    @Override
    public RelDistribution getDistribution()
    {
        return RelDistributions.ANY;
    }

    @Override
    public boolean isKey(final ImmutableBitSet columns)
    {
        return false;
    }

    @Override
    public List<ImmutableBitSet> getKeys()
    {
        return List.of();
    }

    @Override
    public List<RelReferentialConstraint> getReferentialConstraints()
    {
        return List.of();
    }

    // The interface declares the raw type.
    @SuppressWarnings("rawtypes")
    @Override
    public Expression getExpression(final Class clazz)
    {
        return null;
    }

    @Override
    protected RelOptTable extend(final Table extendedTable)
    {
        throw new IllegalStateException("sources are never extended, source=" + index);
    }

    @Override
    public SqlMonotonicity getMonotonicity(final String columnName)
    {
        return SqlMonotonicity.NOT_MONOTONIC;
    }

    @Override
    public SqlAccessType getAllowedAccess()
    {
        return SqlAccessType.READ_ONLY;
    }

    @Override
    public boolean supportsModality(final SqlModality modality)
    {
        return modality == SqlModality.RELATION;
    }

    @Override
    public boolean isTemporal()
    {
        return false;
    }

    @Override
    public <C> C unwrap(final Class<C> type)
    {
        return type.isInstance(this) ? type.cast(this) : type.isInstance(entry) ? type.cast(entry) : null;
    }
}
