package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RejectReason;

/**
 * Why a row was rejected.
 *
 * @param detail the column and value, or what else helps to find the cause
 */
record RowProblem(RejectReason reason, String detail)
{
}
