#!/usr/bin/env node
import 'resilin/cli';
