#!/bin/sh
# Loads MovR's rows if there are none, and migrates the schema to its stage.
set -eu

java -jar movr.jar load --url "$URL" --scale "$MOVR_SCALE" --if-empty
java -jar movr.jar migrate --url "$URL" --stage "$MOVR_STAGE" --wait 60
